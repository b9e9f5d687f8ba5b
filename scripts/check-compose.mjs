// Checks docker-compose.yml against the Compose Specification, and its variables against the product's and .env.example.
// compose-spec.fixture.json is the schema that Docker Compose itself carries: schema/compose-spec.json of
// github.com/compose-spec/compose-go v2.16.2 (Apache-2.0), unchanged. Build packages/rpc first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { VARIABLES } from '../packages/rpc/dist/index.js';
import { ROOT } from './step.mjs';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'compose-spec.fixture.json'), 'utf8'));
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true });

const problems = [...problemsOfShape(), ...unknownVariables(), ...unexplained()];
for (const problem of problems) console.error(`docker-compose.yml ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOfShape() {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.validate(schema, compose);
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

/** What our own services are given must be variables of the product. */
function unknownVariables() {
  return Object.entries(compose.services).flatMap(([name, { build, environment = {} }]) => {
    const given = build ? Object.keys(environment) : [];
    return given
      .filter((variable) => !(variable in VARIABLES))
      .map((variable) => `${name}: ${variable} is no variable`);
  });
}

/** Whatever an operator may set for it stands in .env.example. */
function unexplained() {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  return [...used].filter((name) => !example.includes(`\n${name}=`)).map((name) => `${name}: not in .env.example`);
}
