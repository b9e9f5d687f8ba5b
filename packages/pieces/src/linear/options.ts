import {
  listOptions,
  member,
  textAt,
  type Http,
  type JsonValue,
  type LoadOptions,
  type SelectOption,
  connectionPaging,
  graphqlRequest,
} from '@drawbridge/piece-kit';
import { LABELS, MEMBERS, PROJECTS, STATES, TEAM_PROJECTS, TEAMS, USERS } from './documents.js';

const PAGE = 100;
const LIMIT = 500;

export const teams: LoadOptions = ({ http }) =>
  list(http, { query: TEAMS, path: ['teams'] }, (team) => `${nameOf(team)} (${textAt(team, 'key') ?? ''})`);

/** Lists the states of the selected team. Each team has separate states. */
export const states: LoadOptions = async ({ http, input }) => {
  const teamId = textAt(input, 'teamId');
  if (!teamId) return { options: [], disabled: true };
  return list(http, { query: STATES, path: ['team', 'states'], teamId }, nameOf);
};

/** Lists the labels of the team and the workspace. Omits label groups, which an issue cannot have. */
export const labels: LoadOptions = ({ http, input }) => {
  const teamId = textAt(input, 'teamId');
  const isIts = (label: JsonValue): boolean => [undefined, teamId].includes(textAt(label, 'team', 'id'));
  return list(http, { query: LABELS, path: ['issueLabels'] }, (label) =>
    isIts(label) && member(label, 'isGroup') !== true ? nameOf(label) : undefined,
  );
};

/** Lists the members of the selected team, or of the workspace if no team is selected. */
export const users: LoadOptions = ({ http, input }) => {
  const teamId = textAt(input, 'teamId');
  const from = teamId ? { query: MEMBERS, path: ['team', 'members'], teamId } : { query: USERS, path: ['users'] };
  return list(http, from, (user) =>
    member(user, 'active') === false ? undefined : `${nameOf(user)} (${textAt(user, 'email') ?? ''})`,
  );
};

export const projects: LoadOptions = ({ http, input }) => {
  const teamId = textAt(input, 'teamId');
  const from = teamId
    ? { query: TEAM_PROJECTS, path: ['team', 'projects'], teamId }
    : { query: PROJECTS, path: ['projects'] };
  return list(http, from, nameOf);
};

interface Connection {
  query: string;
  path: string[];
  teamId?: string;
}

function list(
  http: Http,
  { query, path, teamId }: Connection,
  label: (node: JsonValue) => string | undefined,
): Promise<SelectOption[]> {
  const request = graphqlRequest(query, { first: PAGE, ...(teamId && { teamId }) });
  return listOptions(http, request, { label, limit: LIMIT, paging: connectionPaging(...path) });
}

const nameOf = (node: JsonValue): string => textAt(node, 'name') ?? '';
