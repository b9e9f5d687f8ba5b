/** As `npm start` and the images have it. */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };

/** What a started process inherits: nothing that would configure the product or Node.js behind a test's back. */
export function baseEnv(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'JAVA_HOME'];
  return {
    ...MEMORY,
    METRICS_PORT: '0', // one for all that run at once
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  };
}
