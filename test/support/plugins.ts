import {chmodSync, readdirSync, readFileSync} from 'node:fs'
import {until} from './processes.js'
import type {Scratch} from './scratch.js'

/** A manifest as the line of a script. */
export const manifestLine = (manifest: Readonly<Record<string, unknown>>): string =>
  `# jp-plugin/v1 ${JSON.stringify({protocol: 1, description: 'A plugin of a test', ...manifest})}`

/** A folder of plugins, first on the PATH of a scratch environment. */
export type PluginFolder = {
  readonly path: string
  readonly env: Readonly<Record<string, string>>
  /** Writes an executable; gives its path. */
  add(fileName: string, text: string | Uint8Array): string
  /** Writes a shell plugin with a manifest; `body` speaks the protocol. */
  addShell(fileName: string, manifest: Readonly<Record<string, unknown>>, body: string): string
  addPython(fileName: string, manifest: Readonly<Record<string, unknown>>, body: string): string
}

/** Makes a folder for plugins in a scratch folder. */
export const createPluginFolder = (scratch: Scratch, name = 'plugins-on-path'): PluginFolder => {
  const path = scratch.folder(name)
  const add = (fileName: string, text: string | Uint8Array): string => {
    const file = scratch.write(`${name}/${fileName}`, text)
    chmodSync(file, 0o755)
    return file
  }
  return {
    path,
    env: {...scratch.env, PATH: `${path}:${scratch.env['PATH'] ?? ''}`},
    add,
    addShell: (fileName, manifest, body) => add(fileName, `#!/bin/sh\n${manifestLine(manifest)}\n${body}\n`),
    addPython: (fileName, manifest, body) =>
      add(
        fileName,
        `#!/usr/bin/env python3\n${manifestLine(manifest)}\nimport json, sys, os, signal, time, subprocess\n${body}\n`,
      ),
  }
}

/** The processes that still run of plugins below a folder: found by the variable that every plugin is given. */
export const survivorsOf = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`JP_PLUGIN_PATH=${folder}`)
      } catch {
        return false
      }
    })
    .map(Number)

/** Settles when no process of plugins below a folder is left: one that was killed needs a moment to end. */
export const untilNoSurvivors = (folder: string): Promise<void> =>
  until(() => survivorsOf(folder).length === 0, `the end of the processes ${survivorsOf(folder).join(', ')}`)

/** The option that lets a plugin of a test run. */
export const allowing = (name: string): string[] => ['--cfg', `plugins.command.${name}.run=allow`]
