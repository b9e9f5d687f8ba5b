type Client = { connect(): Promise<void>; disconnect(): Promise<void> };

export type Reconnecting<C> = { use<T>(work: (client: C) => Promise<T>): Promise<T>; close(): Promise<void> };

/** Returns a client that connects at its first use, and is replaced after a failed use. */
export function reconnectingClient<C extends Client>(make: () => C): Reconnecting<C> {
  let current: Promise<C> | undefined;

  async function discard(client: Promise<C> | undefined): Promise<void> {
    if (current === client) current = undefined;
    await client?.then((it) => it.disconnect()).catch(() => undefined);
  }

  return {
    async use(work) {
      const client = (current ??= connect(make()));
      try {
        return await work(await client);
      } catch (error) {
        void discard(client);
        throw error;
      }
    },
    close: () => discard(current),
  };
}

async function connect<C extends Client>(client: C): Promise<C> {
  await client.connect();
  return client;
}
