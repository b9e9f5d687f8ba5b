import { type ActionMethod, actionsOf, type AnyCall, toActionCall, type WorkspaceActions } from './actions.js';
import { type ApprovalOptions, executeWithApproval, waitForApproval, type WaitOptions } from './approvals.js';
import { type CodeOptions, type CodeValue, runCode } from './code-mode.js';
import { type Catalog as BuiltIn } from './gen/catalog.js';
import { type ExecutedAction, type ShownApproval } from './gen/models.js';
import { type Resources } from './gen/resources.js';
import { type ClientOptions, sender } from './request.js';
import { resource } from './resource.js';

/**
 * A client of one Drawbridge instance. Its resources and methods are those of the API reference.
 *
 * ```ts
 * const client = new Drawbridge({ baseUrl: 'https://drawbridge.example.com', apiKey: 'svc_…' });
 * const { workspace } = await client.workspaces.create({ name: 'Acme', slug: 'acme' });
 * ```
 */
export class Drawbridge<Catalog = BuiltIn> implements Omit<Resources, 'actions'> {
  readonly actions: WorkspaceActions<Catalog>;
  /**
   * Executes an action and, if policies require it, waits for the approval and sends the call again. Rejects with ApprovalDeclinedError if the
   * approval is rejected, canceled or expired, and with the errors of `actions.execute`.
   */
  readonly executeWithApproval: ActionMethod<Catalog, ApprovalOptions, ExecutedAction>;
  readonly apiKeys: Resources['apiKeys'];
  readonly approvalPolicies: Resources['approvalPolicies'];
  readonly approvals: Resources['approvals'];
  readonly auditLog: Resources['auditLog'];
  readonly connect: Resources['connect'];
  readonly connections: Resources['connections'];
  readonly endUsers: Resources['endUsers'];
  readonly executions: Resources['executions'];
  readonly integrations: Resources['integrations'];
  readonly mcpServers: Resources['mcpServers'];
  readonly members: Resources['members'];
  readonly oauthApps: Resources['oauthApps'];
  readonly organization: Resources['organization'];
  readonly partials: Resources['partials'];
  readonly pieces: Resources['pieces'];
  readonly triggers: Resources['triggers'];
  readonly workspaceIntegrations: Resources['workspaceIntegrations'];
  readonly workspaces: Resources['workspaces'];

  /** Throws TypeError if there is no base URL or the API key is not valid text. A client without a key can call only public operations. */
  constructor(options: ClientOptions = {}) {
    const send = sender(options);
    this.actions = actionsOf(resource(send, 'actions'), options.workspaceId);
    this.executeWithApproval = (call: AnyCall, how?: ApprovalOptions) =>
      executeWithApproval(this, toActionCall(call), how);
    this.apiKeys = resource(send, 'apiKeys');
    this.approvalPolicies = resource(send, 'approvalPolicies');
    this.approvals = resource(send, 'approvals');
    this.auditLog = resource(send, 'auditLog');
    this.connect = resource(send, 'connect');
    this.connections = resource(send, 'connections');
    this.endUsers = resource(send, 'endUsers');
    this.executions = resource(send, 'executions');
    this.integrations = resource(send, 'integrations');
    this.mcpServers = resource(send, 'mcpServers');
    this.members = resource(send, 'members');
    this.oauthApps = resource(send, 'oauthApps');
    this.organization = resource(send, 'organization');
    this.partials = resource(send, 'partials');
    this.pieces = resource(send, 'pieces');
    this.triggers = resource(send, 'triggers');
    this.workspaceIntegrations = resource(send, 'workspaceIntegrations');
    this.workspaces = resource(send, 'workspaces');
  }

  /** Waits until an approval is decided, and returns it if it was approved. Rejects with ApprovalDeclinedError if it was not. */
  waitForApproval(id: string, options?: WaitOptions): Promise<ShownApproval> {
    return waitForApproval(this.approvals, id, options);
  }

  /**
   * Runs a program on an MCP server of mode CODE, waits for the approvals that it needs, and returns its value. Rejects with CodeRunError if the
   * program fails or an approval is declined.
   */
  runCode(serverId: string, code: string, options?: CodeOptions): Promise<CodeValue> {
    return runCode(this.mcpServers, serverId, code, options);
  }
}
