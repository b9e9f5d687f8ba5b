// Checks docker-compose.yml against the Compose Specification. compose-spec.fixture.json is the schema that Docker
// Compose itself carries: schema/compose-spec.json of github.com/compose-spec/compose-go v2.16.2 (Apache-2.0), unchanged.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { ROOT } from './step.mjs';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'compose-spec.fixture.json'), 'utf8'));
const file = join(ROOT, 'docker-compose.yml');

if (!existsSync(file)) {
  console.log('There is no docker-compose.yml yet.');
} else {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  const valid = ajv.validate(schema, parse(readFileSync(file, 'utf8'), { merge: true }));
  for (const { instancePath, message, params } of ajv.errors ?? []) {
    console.error(`docker-compose.yml ${instancePath}: ${message} ${JSON.stringify(params)}`);
  }
  process.exitCode = valid ? 0 : 1;
}
