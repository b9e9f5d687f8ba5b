import { type JsonValue, listAt, listOptions, type LoadOptions, member, textAt } from '@drawbridge/piece-kit';
import { columnsOf } from './columns.js';
import { BOARDS, GROUPS, WORKSPACES } from './documents.js';
import { PAGE, pagesOf } from './paging.js';
import { ask } from './request.js';

export const workspaces: LoadOptions = ({ http }) =>
  listOptions(http, ask(WORKSPACES, { limit: PAGE, page: 1 }), { paging: pagesOf('workspaces') });

/** Lists the boards that were used last. */
export const boards: LoadOptions = ({ http }) => {
  const label = (board: JsonValue) => {
    const workspace = textAt(board, 'workspace', 'name');
    return workspace ? `${textAt(board, 'name')} (${workspace})` : textAt(board, 'name');
  };
  return listOptions(http, ask(BOARDS, { limit: PAGE, page: 1, state: 'active' }), {
    label,
    paging: pagesOf('boards'),
  });
};

export const groups: LoadOptions = async ({ http, input: { board_id } }) => {
  if (typeof board_id !== 'string' || board_id === '') return { options: [], disabled: true };
  const found = listAt(await http.json(ask(GROUPS, { board_id })), 'data', 'boards', 0, 'groups');
  return toOptions(found.filter((group) => member(group, 'archived') !== true));
};

export const columns: LoadOptions = async ({ http, input: { board_id } }) => {
  if (typeof board_id !== 'string' || board_id === '') return { options: [], disabled: true };
  return toOptions(await columnsOf(http, board_id));
};

const toOptions = (items: readonly JsonValue[]) =>
  items.flatMap((item) => {
    const [value, label] = [textAt(item, 'id'), textAt(item, 'title')];
    return value ? [{ label: label ?? value, value }] : [];
  });
