// Runs the scripts `generate` and `build` of the package in the working directory. The package manager puts the programs of the package in the PATH.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const { scripts = {} } = JSON.parse(readFileSync('package.json', 'utf8'));
for (const name of ['generate', 'build']) {
  const command = scripts[name];
  if (!command) continue;
  const { status } = spawnSync(command, { shell: true, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
