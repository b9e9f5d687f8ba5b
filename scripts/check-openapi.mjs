// Fails if openapi.json breaks REST clients that were written for its previous version.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseline } from './baseline.mjs';
import { breakingChanges } from './openapi-breaking.mjs';
import { ROOT } from './step.mjs';

const DOCUMENT = 'services/gateway/openapi.json';

const { commit, missing } = baseline(DOCUMENT);
if (missing) {
  console.log(`Nothing to compare ${DOCUMENT} with: ${missing}`);
} else {
  const before = execFileSync('git', ['show', `${commit}:${DOCUMENT}`], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 1e8,
  });
  const found = breakingChanges(JSON.parse(before), JSON.parse(readFileSync(join(ROOT, DOCUMENT), 'utf8')));
  for (const line of found) console.error(line);
  if (found.length > 0) {
    console.error(`\nThese break who relies on ${commit}. Meant so? Commit with "!" behind type and scope.`);
    process.exitCode = 1;
  }
}
