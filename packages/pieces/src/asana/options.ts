import { expandPath, listOptions, type LoadOptions, textAt } from '@drawbridge/piece-kit';
import { PAGE } from './paging.js';

/** Matches a gid. */
export const GID = '^[0-9]+$';

const NOTHING = { options: [], disabled: true };

export const workspaces: LoadOptions = ({ http }) =>
  listOptions(http, { method: 'GET', path: '/api/1.0/workspaces', query: { limit: PAGE } }, { value: 'gid' });

/** Finds objects of the selected workspace. The result has no pages: https://developers.asana.com/reference/typeaheadforworkspace */
export function ofWorkspace(resource_type: 'project' | 'task' | 'user' | 'team' | 'tag'): LoadOptions {
  return async ({ http, input, search }) => {
    const workspace = gidIn(input, 'workspace');
    if (!workspace) return NOTHING;
    const path = expandPath('/api/1.0/workspaces/{workspace}/typeahead', { workspace });
    const query = { resource_type, query: search, count: PAGE };
    return listOptions(http, { method: 'GET', path, query }, { value: 'gid', limit: PAGE });
  };
}

/** Lists the sections of the selected project. */
export const sections: LoadOptions = async ({ http, input }) => {
  const project = gidIn(input, 'project');
  if (!project) return NOTHING;
  const path = expandPath('/api/1.0/projects/{project}/sections', { project });
  return listOptions(http, { method: 'GET', path, query: { limit: PAGE } }, { value: 'gid' });
};

function gidIn(input: Parameters<LoadOptions>[0]['input'], key: string): string | undefined {
  const gid = textAt(input, key);
  return gid && new RegExp(GID).test(gid) ? gid : undefined;
}
