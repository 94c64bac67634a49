import {type InitializeResponse, PROTOCOL_VERSION} from '@agentclientprotocol/sdk'

/** What this agent can do (D27). Keys come from the environment and the configuration: there is nothing to sign in to. */
export const initializeResponse = (version: string): InitializeResponse => ({
  protocolVersion: PROTOCOL_VERSION,
  agentInfo: {name: 'jp', title: 'jp', version},
  agentCapabilities: {
    loadSession: true,
    promptCapabilities: {embeddedContext: true, image: false, audio: false},
    mcpCapabilities: {http: true, sse: false},
    sessionCapabilities: {list: {}, resume: {}, close: {}},
  },
  authMethods: [],
})
