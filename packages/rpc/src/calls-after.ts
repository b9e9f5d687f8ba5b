import { type Network } from './client.js';
import { type CallOptions, type Client } from './definition.js';

/** The same network, whose calls leave after `before`: it returns nothing, or what is waited for. What it throws is their answer. */
export function callsAfter(network: Network, before: () => Promise<void> | undefined): Network {
  return {
    ready: (service) => network.ready(service),
    client(service, definition) {
      const calls = Object.entries(network.client(service, definition)) as [string, Call][];
      const after = calls.map(([method, call]): [string, Call] => [
        method,
        (request, options) => {
          const wait = before();
          return wait ? wait.then(() => call(request, options)) : call(request, options);
        },
      ]);
      return Object.fromEntries(after) as Client<typeof definition>;
    },
  };
}

type Call = (request: unknown, options?: CallOptions) => Promise<unknown>;
