import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';
import { type Access, ACCESS_TABLE } from '../authorize.js';
import { nothingToRecord } from '../changes.js';
import { type ServiceDefinition } from '../wire-format.js';
import { type Accessible, expose } from '../dispatch.js';

export interface Rpc {
  /** For example `drawbridge.members.v1.WorkspaceService/getWorkspace`. */
  name: string;
  definition: ServiceDefinition;
  method: string;
  access: Access;
}

/** Returns every RPC of the protos with its access terms. */
export async function everyRpc(): Promise<Rpc[]> {
  return (await definitions()).flatMap((definition) =>
    Object.keys(definition.methods).map((method) => {
      const access = ACCESS_TABLE[definition.fullName]?.[method];
      if (!access) throw new Error(`${definition.fullName}/${method} has no access`);
      return { name: `${definition.fullName}/${method}`, definition, method, access };
    }),
  );
}

/** Returns a service with every RPC. Each RPC responds with an empty message. */
export async function serviceOfAll(onCall: (name: string) => void) {
  const rpcs = (await definitions()).map((definition) => {
    const methods = Object.entries(definition.methods).map(([method, { responseType }]) => [
      method,
      async () => {
        onCall(`${definition.fullName}/${method}`);
        if (ACCESS_TABLE[definition.fullName]?.[method]?.isRecorded) nothingToRecord();
        return responseType.decode(new Uint8Array());
      },
    ]);
    return expose(definition, Object.fromEntries(methods));
  });
  return { name: 'members' as const, rpcs, close: async () => undefined };
}

/** Generated messages can be created from some of their fields, at any depth. */
interface Creatable {
  create(fields: object): unknown;
}

/** Returns an empty request, with the workspace id if the RPC has one. */
export function requestOf({ definition, method, access }: Rpc, workspaceId: string): unknown {
  const requestType: unknown = definition.methods[method]!.requestType;
  const path = access.workspace?.path ?? [];
  return (requestType as Creatable).create(path.length === 0 ? {} : nested(path, workspaceId));
}

function nested(path: readonly string[], value: string): object {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

async function definitions(): Promise<Accessible[]> {
  const folder = join(import.meta.dirname, '../../node_modules/@drawbridge/proto/dist/drawbridge');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
  const found: Accessible[] = [];
  for (const name of names) {
    const module: object = await import(join(folder, name));
    found.push(...Object.values(module).filter((value) => 'methods' in value && value.fullName in ACCESS));
  }
  return found;
}
