/** What a started process inherits: nothing that would configure the product or Node.js behind a test's back. */
export function baseEnv(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'JAVA_HOME'];
  return Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}
