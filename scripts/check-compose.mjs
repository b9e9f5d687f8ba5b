// Checks docker-compose.yml against the Compose Specification, and its variables against the product's variables and .env.example.
// compose-spec.fixture.json is an unchanged copy of the schema in Docker Compose: schema/compose-spec.json of github.com/compose-spec/compose-go
// v2.16.2 (Apache-2.0). Build packages/rpc first.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { variablesOf } from '../packages/cli/dist/variables.js';
import { SERVICE_TABLE } from '../packages/contracts/dist/index.js';
import { ROOT } from './step.mjs';

const schema = JSON.parse(readFileSync(join(import.meta.dirname, 'compose-spec.fixture.json'), 'utf8'));
const text = readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8');
const compose = parse(text, { merge: true });

const problems = [...problemsOfShape(), ...problemsOfServices(), ...unexplained()];
for (const problem of problems) console.error(`docker-compose.yml ${problem}`);
process.exitCode = problems.length === 0 ? 0 : 1;

function problemsOfShape() {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
  ajv.validate(schema, compose);
  return (ajv.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath}: ${message} ${JSON.stringify(params)}`,
  );
}

/** Checks that docker-compose.yml contains each service of SERVICE_TABLE with its required variables, and without variables that it does not read. */
function problemsOfServices() {
  const own = Object.keys(compose.services).filter((name) => compose.services[name].build);
  const names = new Set([...own, ...Object.keys(SERVICE_TABLE)]);
  return [...names].flatMap((name) => {
    if (!own.includes(name)) return [`${name}: is missing`];
    if (!SERVICE_TABLE[name]) return [`${name}: is no service`];
    const { environment = {} } = compose.services[name];
    const variables = variablesOf(name);
    const strange = Object.keys(environment).filter((variable) => !(variable in variables));
    const required = Object.keys(variables).filter((variable) => variables[variable].isRequired);
    const missing = required.filter((variable) => !(variable in environment));
    return [
      ...strange.map((variable) => `${name}: ${variable} is no variable of it`),
      ...missing.map((variable) => `${name}: ${variable} is missing`),
    ];
  });
}

/** Returns a problem for each variable in docker-compose.yml that .env.example does not contain. */
function unexplained() {
  const example = readFileSync(join(ROOT, '.env.example'), 'utf8');
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name));
  return [...used].filter((name) => !example.includes(`\n${name}=`)).map((name) => `${name}: not in .env.example`);
}
