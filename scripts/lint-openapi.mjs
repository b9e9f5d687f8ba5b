// Lints the committed OpenAPI document with Redocly's recommended rules and Spectral's OpenAPI rules.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { ROOT } from './step.mjs';

const DOCUMENT = join(ROOT, 'services/gateway/openapi.json');

/** Disabled rules of Redocly, each with its reason. No rule of Spectral is disabled. */
const REDOCLY_OFF = {
  // The contract fixes the paths, which include both `/members/invitations` and `/members/{id}`.
  'no-ambiguous-paths': 'off',
};

const source = readFileSync(DOCUMENT, 'utf8');
const found = [...(await redocly()), ...(await withSpectral())];
for (const line of found.slice(0, 50)) console.error(line);
if (found.length > 50) console.error(`and ${found.length - 50} more`);
if (found.length > 0) process.exitCode = 1;

async function redocly() {
  const rules = { ...REDOCLY_OFF, 'no-invalid-media-type-examples': 'error', 'no-invalid-schema-examples': 'error' };
  const config = await createConfig({ extends: ['recommended'], rules });
  const problems = await lintFromString({ source, absoluteRef: DOCUMENT, config });
  return problems.map(({ ruleId, message, location }) => `redocly ${ruleId} ${location[0]?.pointer}: ${message}`);
}

async function withSpectral() {
  const { Spectral, Ruleset } = spectral;
  const linter = new Spectral();
  linter.setRuleset(new Ruleset({ extends: [rulesets.oas] }));
  const problems = await linter.run(source);
  return problems.map(({ code, message, path }) => `spectral ${code} ${path.join('/')}: ${message}`);
}
