import { mergeChanges, type Mount, type MountFiles } from '../mount-files.js';

const all = new Map<string, MountFiles>();

/** Returns a mount in the memory of the test process. Mounts with equal keys share their files. */
export function memoryMount(key: string): Mount {
  return {
    key,
    read: async () => filesOf(key),
    async write(changes) {
      const files = filesOf(key);
      const sizes = new Map([...files].map(([name, bytes]) => [name, bytes.length]));
      const kept = new Map(files);
      for (const name of mergeChanges(sizes, changes)) kept.delete(name);
      for (const [name, bytes] of changes.written) kept.set(name, bytes);
      all.set(key, kept);
    },
  };
}

export function filesOf(key: string): MountFiles {
  return all.get(key) ?? new Map();
}
