// Checks the access options in proto/. The build fails if an RPC has no options, or if they contain unknown names.
import { NEEDS, SERVICE_TABLE, SERVICES } from '@drawbridge/contracts';

/** Names of RPCs that change nothing and return no secret. */
const READING = /\/(Get|List|BatchGet)[A-Z]\w*$/;
const ACTION = /^[a-z]+(_[a-z]+)*\.[a-z_]+$/;

const OPTION = '[drawbridge.access.v1.access]';

/**
 * Returns the access terms by the full name of a service and the name of a method: allowed callers, the required permission, the location of the
 * workspace id, the action name in the audit log, and whether the RPC can be repeated. `image` is the output of `buf build` as JSON. Throws an error
 * with all problems.
 */
export function accessOf(image) {
  const files = image.file.filter((file) => file.package?.startsWith('drawbridge.'));
  const messages = new Map(files.flatMap(messagesOf));
  const rpcs = files.flatMap(rpcsOf).map((rpc) => ({ ...rpc, place: placeOf(rpc, messages) }));
  const problems = rpcs.flatMap((rpc) => problemsOf(rpc, messages).map((problem) => `  ${rpc.name}: ${problem}`));
  if (problems.length > 0) throw new Error(`Invalid access options in proto/:\n${problems.join('\n')}`);
  const table = {};
  for (const { name, service, method, access, place } of rpcs) {
    table[service] ??= {};
    const { callers, grant, row, orNamed, withoutOrganization } = access;
    const isRepeatable = isRepeatableBy(access, name) || undefined;
    table[service][method] = {
      ...{ callers, grant, workspace: place, row, orNamed, withoutOrganization, ...entryOf(access) },
      isRepeatable,
    };
  }
  return table;
}

function messagesOf({ package: its, messageType = [] }) {
  return messageType.map((message) => [`.${its}.${message.name}`, message]);
}

function rpcsOf({ package: its, service = [] }) {
  return service.flatMap(({ name, method = [] }) =>
    method.map((rpc) => ({
      name: `${its}.${name}/${rpc.name}`,
      service: `${its}.${name}`,
      // The name that ts-proto generates.
      method: rpc.name[0].toLowerCase() + rpc.name.slice(1),
      request: rpc.inputType,
      access: rpc.options?.[OPTION],
    })),
  );
}

/** Returns the action name in the audit log, and whether successful calls are recorded. For reads, only denied calls are. */
function entryOf({ audit, grant }) {
  if (audit) return { action: audit, isRecorded: true };
  const [area, verb] = grant.split('.');
  return { action: verb ? `${area.replace(/s$/, '')}.${verb}` : 'organization.read' };
}

/**
 * Returns whether a caller that received no response may repeat the call, because the RPC only reads, or declares that a repetition changes nothing.
 */
function isRepeatableBy({ unrecorded, repeatable = false }, name) {
  return READING.test(name) || unrecorded === 'reads' || unrecorded === 'changes nothing' || repeatable;
}

/** Returns the location of the workspace id in a request: the path of keys, and whether it is optional. */
function placeOf({ request, access }, messages) {
  if (!access?.workspace) return undefined;
  const path = [];
  let [type, field] = [request];
  for (const name of access.workspace.split('.')) {
    field = messages.get(type)?.field?.find((one) => one.name === name);
    if (!field || field.label === 'LABEL_REPEATED') return undefined;
    path.push(field.jsonName);
    type = field.typeName;
  }
  return field.type === 'TYPE_STRING' ? { path, isOptional: field.proto3Optional === true } : undefined;
}

function problemsOf({ name, request, access, place }, messages) {
  if (!access) return ['has no option (drawbridge.access.v1.access)'];
  const { callers = [], grant = '', workspace, organization, row, audit, unrecorded } = access;
  const { orNamed, withoutOrganization } = access;
  const hasWorkspace = messages.get(request)?.field?.some(({ name }) => name === 'workspace_id');
  const unknown = callers.filter((caller) => !SERVICES.includes(caller));
  const strange = callers.filter((caller) => !unknown.includes(caller) && !mayCall(caller, name));
  return [
    callers.length === 0 && 'has no callers: set callers',
    unknown.length > 0 && `${unknown.join(', ')}: not among ${SERVICES.join(', ')}`,
    strange.length > 0 &&
      `${strange.join(', ')}: not allowed to call this service. See packages/contracts/src/services.ts`,
    !NEEDS.includes(grant) && `grant "${grant}" is not among ${NEEDS.join(', ')}`,
    !workspace && !organization && !row && 'has no scope: set workspace, organization or row',
    row && grant === 'none' && 'reads rows without a caller: set grant to a permission or any',
    orNamed && (!row || grant === 'any') && 'has orNamed, which needs row and a permission as grant',
    withoutOrganization &&
      (grant !== 'any' || !organization) &&
      'has withoutOrganization, which needs organization and the grant any',
    workspace && !place && `${workspace} is not a string field of ${request}`,
    audit !== undefined && !ACTION.test(audit) && `audit "${audit}" is not an action such as workspace.create`,
    !audit && !unrecorded && !READING.test(name) && 'is not audited: set audit, or set unrecorded to the reason',
    !workspace && hasWorkspace && 'has a workspace_id in its request: set workspace to it',
  ].filter(Boolean);
}

/**
 * Returns whether a service may call an RPC. The second part of the RPC's name is its service: `drawbridge.members.v1.WorkspaceService/GetWorkspace`
 * belongs to members.
 */
function mayCall(caller, name) {
  return SERVICE_TABLE[caller].mayCall.includes(name.split('.')[1]);
}
