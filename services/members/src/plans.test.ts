import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_PLANS } from '@drawbridge/contracts';
import { readPlans } from './plans.js';

const folder = mkdtempSync(join(tmpdir(), 'plans-'));
const file = join(folder, 'plans.json');
afterAll(() => rmSync(folder, { recursive: true }));

const free = DEFAULT_PLANS['free']!;

describe('PLANS_FILE', () => {
  it('replaces the built-in plans', () => {
    writeFileSync(file, JSON.stringify({ gold: { ...free, workspaces: null } }));
    expect(readPlans(file)).toEqual({ gold: { ...free, workspaces: null } });
    expect(readPlans('')).toBe(DEFAULT_PLANS);
  });

  it('has the default of a limit that came later', () => {
    const { callbacksPerTrigger: _, ...earlier } = free;
    writeFileSync(file, JSON.stringify({ gold: earlier }));
    expect(readPlans(file)).toEqual({ gold: free });
  });

  it('must be there', () => {
    expect(() => readPlans(join(folder, 'absent.json'))).toThrow('PLANS_FILE: is not a readable file');
  });

  it.each([
    ['{', 'does not hold JSON'],
    ['[]', 'must contain a JSON object'],
    ['{}', 'must contain a JSON object'],
    ['{"gold": null}', 'gold must be an object of limits'],
    [JSON.stringify({ gold: { ...free, colour: 1 } }), 'gold.colour is not a limit. The limits are requestsPerMinute'],
    [JSON.stringify({ gold: { ...free, members: 0 } }), 'gold.members must be a whole number from 1'],
    [JSON.stringify({ gold: { ...free, members: undefined } }), 'gold.members must be a whole number from 1'],
    [JSON.stringify({ gold: { ...free, tenantOAuthApps: 1 } }), 'gold.tenantOAuthApps must be true or false'],
  ])('refuses %s', (text, problem) => {
    writeFileSync(file, text);
    expect(() => readPlans(file)).toThrow(problem);
  });
});
