// Generates src/gen from proto/: the messages, with expanded comment tags (tags.mjs) and copies (copies.mjs), and `access.ts` with the access terms of
// all RPCs (access.mjs), which docs/permissions.md lists.
import { execFileSync } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessOf } from './access.mjs';
import { copiesOf } from './copies.mjs';
import { toPage } from './permissions-page.mjs';
import { spellOut, typeLike, UUID_TYPE } from './tags.mjs';

const root = join(import.meta.dirname, '../..');
const generated = join(import.meta.dirname, 'src/gen');
const buf = (...args) =>
  execFileSync(join(import.meta.dirname, 'node_modules/.bin/buf'), args, { cwd: root, maxBuffer: 1e8 });

buf('generate');
// The messages that define the options are never sent.
for (const name of ['drawbridge/access', 'google/protobuf/descriptor.ts'])
  rmSync(join(generated, name), { recursive: true });

const files = readdirSync(join(generated, 'drawbridge'), { recursive: true }).filter((name) => name.endsWith('.ts'));
const paths = files.map((name) => join(generated, 'drawbridge', name));
const image = JSON.parse(buf('build', '--output', '-#format=json'));
const withCopies = copiesOf(image);
const sources = spellOut(paths.map((path) => readFileSync(path, 'utf8')));
paths.forEach((path, index) => writeFileSync(path, withCopies(`drawbridge/${files[index]}`, sources[index])));
copyFileSync(join(import.meta.dirname, 'copying.ts'), join(generated, 'copying.ts'));
writeFileSync(join(generated, 'uuid.ts'), UUID_TYPE);
const ofName = typeLike('IntegrationName', 'NewWorkspaceIntegration.integrationName', sources);
writeFileSync(join(generated, 'integration-name.ts'), ofName);
writeFileSync(join(generated, 'approval-id.ts'), typeLike('ApprovalId', 'GetApprovalRequest.id', sources));

const access = accessOf(image);
writeFileSync(
  join(generated, 'drawbridge/access.ts'),
  `export const ACCESS = ${JSON.stringify(access, null, 2)} as const;\n`,
);
writeFileSync(join(root, 'docs/permissions.md'), toPage(access));
