/**
 * What a command needs from the bootstrap (W10). `none` resolves nothing; `config-only` resolves the configuration of
 * the launch and touches nothing (S7); `resolve` opens a checkout read only; `load` opens, registers and imports.
 */
export type Requirement = 'none' | 'config-only' | 'resolve' | 'load'
