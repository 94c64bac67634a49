import {networkInterfaces} from 'node:os'

/** The addresses that this machine has on its networks, loopback included. */
export const networkAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({address}) => address))
