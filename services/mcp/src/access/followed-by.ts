type Rpcs = Record<string, (request: never) => Promise<unknown>>;

/** Wraps RPCs so that each calls `after` when it completes. An RPC that fails also calls it, because it may have committed a change. */
export function followedBy<D extends object>(rpcs: D, after: () => void): D {
  const followed = Object.entries(rpcs as Rpcs).map(([name, rpc]) => [
    name,
    (request: never) => rpc(request).finally(after),
  ]);
  return Object.fromEntries(followed) as D;
}
