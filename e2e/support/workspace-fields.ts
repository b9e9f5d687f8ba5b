import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ACCESS } from '@drawbridge/proto/drawbridge/access';

type Access = Record<string, { grant: string; workspace?: { path: readonly string[] } }>;

/** Maps each public operation on a workspace to the field that contains the workspace's id, according to the protos. */
export const WORKSPACE_FIELDS: Record<string, string> = Object.fromEntries(
  Object.values<Access>(ACCESS)
    .flatMap((methods) => Object.entries(methods))
    .filter(([method]) => operationIds().has(capitalized(method)))
    .flatMap(([method, { workspace }]) => (workspace ? [[capitalized(method), workspace.path.join('.')]] : [])),
);

function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Reads the published operations from the committed document, before the product starts. */
function operationIds(): Set<string> {
  const file = join(import.meta.dirname, '../../services/gateway/openapi.json');
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Record<string, Record<string, Operation>> };
  return new Set(Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId)));
}

interface Operation {
  operationId: string;
}
