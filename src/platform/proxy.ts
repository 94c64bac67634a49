import type {HostEnvironment} from './host-environment.js'

/** Never asked for through a proxy (FR-47): these are this machine. */
const loopbackHosts = ['localhost', '127.0.0.1', '::1', '[::1]']

let installed = false

/**
 * Makes `fetch` honour `HTTP_PROXY`, `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY` (either case), loopback always direct
 * (FR-47). Does nothing when no proxy is set, and costs nothing then. A Node that can't (before 24.14) goes direct unless
 * it was started with `NODE_USE_ENV_PROXY=1`.
 */
export const honourProxies = async ({env}: Pick<HostEnvironment, 'env'>): Promise<void> => {
  const either = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined
  const all = either('ALL_PROXY')
  const http = either('HTTP_PROXY') ?? all
  const https = either('HTTPS_PROXY') ?? all
  if (installed || (http === undefined && https === undefined)) return
  installed = true
  const node: object = await import('node:http')
  if (!('setGlobalProxyFromEnv' in node) || typeof node.setGlobalProxyFromEnv !== 'function') return
  node.setGlobalProxyFromEnv({
    ...(http === undefined ? {} : {HTTP_PROXY: http}),
    ...(https === undefined ? {} : {HTTPS_PROXY: https}),
    NO_PROXY: [either('NO_PROXY'), ...loopbackHosts].filter(Boolean).join(','),
  })
}

/** True for a host name that means this machine. */
export const isLoopback = (hostname: string): boolean =>
  loopbackHosts.includes(hostname) || hostname.startsWith('127.') || hostname.endsWith('.localhost')
