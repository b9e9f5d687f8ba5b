import { listAt, listOptions, type LoadOptions, type Paging, textAt } from '@drawbridge/piece-kit';
import { BOARDS, COLUMNS, GROUPS } from './documents.js';
import { request } from './items.js';

export const BOARDS_PER_PAGE = 100;

/** Pages boards by the number of the page, which is a variable. */
export const boardPages: Paging = {
  items: (body) => listAt(body, 'data', 'boards'),
  next: ({ request: { json }, body }) => {
    const { variables } = json as { variables: { page: number; limit: number } };
    if (listAt(body, 'data', 'boards').length < variables.limit) return undefined;
    return request(BOARDS, { ...variables, page: variables.page + 1 });
  },
};

/** https://developer.monday.com/api-reference/reference/boards */
export const boards: LoadOptions = ({ http }) =>
  listOptions(http, request(BOARDS, { page: 1, limit: BOARDS_PER_PAGE }), { paging: boardPages });

const ofBoard =
  (query: string, list: string): LoadOptions =>
  async ({ http, input: { board_id } }) => {
    if (typeof board_id !== 'string' || board_id === '') return { options: [], disabled: true };
    const [board] = listAt(await http.json(request(query, { boards: [board_id] })), 'data', 'boards');
    return listAt(board, list).flatMap((one) => {
      const [value, label] = [textAt(one, 'id'), textAt(one, 'title')];
      return value && label ? [{ label, value }] : [];
    });
  };

/** https://developer.monday.com/api-reference/reference/groups */
export const groups = ofBoard(GROUPS, 'groups');
/** https://developer.monday.com/api-reference/reference/columns */
export const columns = ofBoard(COLUMNS, 'columns');
