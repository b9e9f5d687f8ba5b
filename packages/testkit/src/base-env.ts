/** The same values as `npm start` and the images. */
const MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '1048576' };

/** Returns the environment of started processes. Excludes variables that would configure the product or Node.js unintentionally. */
export function baseEnv(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'JAVA_HOME'];
  return {
    ...MEMORY,
    METRICS_PORT: '0', // the default port would conflict between parallel processes
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
  };
}
