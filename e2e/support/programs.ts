import { type Answer, type Api, apiOf } from './api.js';
import { newOrganization } from './organizations.js';
import { newIntegration, newWorkspace } from './workspace-integrations.js';

export interface Call {
  workspace?: string;
  integration?: string;
  endUserId?: string;
  language?: string;
  input?: unknown;
  by?: Api;
}

/** Runs programs of the advanced-code integration for two organizations. */
export interface Programs {
  api: Api;
  /** The other organization. */
  other: Api;
  /** The workspace of configured integrations. */
  workspaceId: string;
  run(code: string, call?: Call): Promise<Answer>;
  /** Returns the output of a run that succeeds. */
  output(code: string, call?: Call): Promise<any>;
  /** Returns the id of a new configured integration. */
  configured(advancedCode: object, workspace?: string, by?: Api): Promise<string>;
}

export async function newPrograms({
  baseUrl,
  databaseUrl,
}: {
  baseUrl: string;
  databaseUrl: string;
}): Promise<Programs> {
  const made = await Promise.all([newOrganization(databaseUrl), newOrganization(databaseUrl)]);
  const [api, other] = made.map(({ plainKey }) => apiOf(baseUrl, plainKey)) as [Api, Api];
  // In the second workspace, without a configured integration, programs run with the defaults.
  const [workspaceId, plain] = [await newWorkspace(api), await newWorkspace(api)];
  const run = (code: string, call: Call = {}): Promise<Answer> => {
    const { integration, endUserId, language = 'shell', input, by = api } = call;
    const { workspace = integration ? workspaceId : plain } = call;
    return by.post('/api/v1/actions/execute', {
      ...{ integrationName: 'advanced-code', actionName: 'run', workspaceId: workspace, endUserId },
      workspaceIntegrationId: integration,
      input: { language, code, input },
    });
  };
  return {
    ...{ api, other, workspaceId, run },
    async output(code, call = {}) {
      const { status, body } = await run(code, call);
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.output;
    },
    async configured(advancedCode, workspace = workspaceId, by = api) {
      const body = { integrationName: 'advanced-code', settings: { advancedCode } };
      return (await newIntegration(by, workspace, body)).id;
    },
  };
}
