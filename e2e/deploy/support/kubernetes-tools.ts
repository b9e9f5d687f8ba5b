import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { command } from './command.js';

const CACHE = join(import.meta.dirname, '../../../.cache/kubernetes');
const KUSTOMIZE = 'sigs.k8s.io/kustomize/kustomize/v5@v5.6.0';

export interface KubernetesTools {
  /** Returns the manifests of an overlay. */
  render(folder: string): Promise<string>;
  /** Rejects with the problems of a manifest by the schema of this minor version, such as 1.35. */
  validate(version: string, file: string): Promise<void>;
}

/** Installs kustomize with Go, and the schemas of Kubernetes from PyPI, once. */
export async function kubernetesTools(): Promise<KubernetesTools> {
  const kustomize = join(CACHE, 'kustomize');
  if (!existsSync(kustomize)) await command(['go', 'install', KUSTOMIZE], { env: { ...process.env, GOBIN: CACHE } });
  const python = join(CACHE, 'python/bin');
  const validator = join(python, 'kubernetes-validate');
  if (!existsSync(validator)) {
    await command(['python3', '-m', 'venv', join(CACHE, 'python')]);
    const requirements = join(import.meta.dirname, '../requirements.txt');
    await command([join(python, 'pip'), 'install', '--quiet', '--no-deps', '-r', requirements]);
  }
  return {
    render: (folder) => command([kustomize, 'build', folder]),
    validate: async (version, file) => void (await command([validator, '-k', version, '--strict', file])),
  };
}
