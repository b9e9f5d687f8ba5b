// Lints the protos and fails if they break services that were built with their previous version.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { baseline } from './baseline.mjs';
import { ROOT } from './step.mjs';

const options = { cwd: ROOT, maxBuffer: 1e8, stdio: ['pipe', 'pipe', 'inherit'] };
const buf = (args, input) =>
  execFileSync(join(ROOT, 'packages/proto/node_modules/.bin/buf'), args, { ...options, input });

try {
  buf(['lint']);
  const { commit, missing } = baseline('proto');
  if (missing) console.log(`Nothing to compare proto with: ${missing}`);
  else
    buf(
      ['breaking', '--against', '-#format=tar'],
      execFileSync('git', ['archive', commit, 'proto', 'buf.yaml'], options),
    );
} catch (error) {
  process.stderr.write(error.stdout);
  process.exitCode = 1;
}
