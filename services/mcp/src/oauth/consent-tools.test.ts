import { type LinkedInstance } from '@drawbridge/proto/drawbridge/catalog/v1/linked_instances';
import { type McpOffer } from '@drawbridge/proto/drawbridge/mcp/v1/access';
import { groupTools } from './consent-tools.js';

const gh: LinkedInstance = {
  ...{ id: 'i1', integrationName: 'github', alias: 'gh' },
  ...{ connectionStrategy: 'per_user_with_fallback', connectionId: 'c1' },
};
const offer = (fields: Partial<McpOffer>): McpOffer => ({
  ...{ integrationAlias: 'gh', integrationName: 'github', actionName: 'create_issue', workspaceIntegrationId: 'i1' },
  ...fields,
});

describe('groupTools', () => {
  it('groups tools by integration, and says how the account is found', () => {
    const offers = [offer({}), offer({ actionName: 'get_file' }), offer({ actionName: 'comment', connectionId: 'c2' })];
    const use = { integrationName: 'github', connectionStrategy: 'per_user_with_fallback', connectionId: 'c1' };
    expect(groupTools(offers, [gh])).toMatchObject([
      { alias: 'gh', displayName: 'GitHub', tools: [{ category: 'write' }, { category: 'read' }], use },
      { alias: 'gh', tools: [{}], use: { ...use, connectionStrategy: 'fixed', connectionId: 'c2' } },
    ]);
  });

  it('names no account for an integration that uses none', () => {
    const hash = { integrationAlias: 'hash', integrationName: 'hash-encode', actionName: 'hash' };
    const [group] = groupTools([offer({ ...hash, workspaceIntegrationId: undefined })], []);
    expect(group).toMatchObject({ displayName: expect.any(String), tools: [{ category: 'read' }] });
    expect(group!.use).toBeUndefined();
  });

  it('names a tool after its action, whatever it is called in the server', () => {
    const [group] = groupTools([offer({ displayName: 'Only reads, promised' })], [gh]);
    expect(group!.tools).toEqual([{ name: 'Create issue', category: 'write' }]);
  });
});
