import { type Api } from './api.js';
import { newPolicy } from './approvals.js';
import { type GithubWorkspace } from './github.js';
import { fresh } from './owned-resources.js';

/** The policy decision and status for a call with this title, in every API. */
export const OUTCOMES: [title: string, decision: string, status: number][] = [
  ['see https://evil.example/x', 'block', 403],
  ['ask/a', 'require_approval', 202],
  ['tell/a', 'notify_only', 200],
  ['fine/a', 'auto_approve', 200],
  ['free', 'none', 200],
];

export interface GateOutcomes {
  /** Policy ids by decision. */
  policyIds: Record<string, string>;
  /** Ids of input partials (stored values for the input) by title: one that supplies the title, and one that enforces the title. */
  partials: Record<string, [given: string, forced: string]>;
}

/** Creates policies in one workspace that produce these outcomes, and partials with the titles. */
export async function gateOutcomes(api: Api, { workspaceId }: GithubWorkspace): Promise<GateOutcomes> {
  const policyIds: GateOutcomes['policyIds'] = {};
  const partials: GateOutcomes['partials'] = {};
  const policy = async (decision: string, rules: object, fields: object = {}): Promise<void> => {
    policyIds[decision] ??= (await newPolicy(api, { workspaceId, sources: [], decision, rules, ...fields })).id;
  };
  await policy('block', { domainDenylist: ['evil.example'] });
  await policy('auto_approve', { storagePathPrefixes: ['fine/'] }, { priority: 1 });
  await policy('require_approval', { storagePathPrefixes: ['ask/', 'fine/'] });
  await policy('notify_only', { storagePathPrefixes: ['tell/', 'fine/'] });
  const partial = async (title: string, fields: object): Promise<string> => {
    const facts = { workspaceId, integrationName: 'github', name: fresh(), values: { title }, ...fields };
    const { status, body } = await api.post('/api/v1/partials', facts);
    expect({ status, body }).toMatchObject({ status: 201 });
    return body.partial.id;
  };
  for (const [title] of OUTCOMES)
    partials[title] = [await partial(title, {}), await partial(title, { enforcedKeys: ['title'] })];
  return { policyIds, partials };
}
