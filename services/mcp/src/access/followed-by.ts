type Rpcs = Record<string, (request: never) => Promise<unknown>>;

/** Returns the same RPCs, each of which calls `after` before it answers, also when it fails: a failed RPC may have committed a change. */
export function followedBy<D extends object>(rpcs: D, after: () => void): D {
  const followed = Object.entries(rpcs as Rpcs).map(([name, rpc]) => [
    name,
    (request: never) => rpc(request).finally(after),
  ]);
  return Object.fromEntries(followed) as D;
}
