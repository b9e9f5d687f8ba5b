const COLUMNS = `column_values {
    id type text column { title } ... on MirrorValue { display_value } ... on BoardRelationValue { display_value }
  }`;
const ITEM = `id name url state created_at updated_at board { id name } group { id title } ${COLUMNS}`;
const PAGE = `cursor items { ${ITEM} }`;

export const ME = 'query Me { me { id name email account { id name slug } } }';

export const CREATE_ITEM = `mutation CreateItem(
  $board_id: ID!, $group_id: String, $item_name: String!, $column_values: JSON, $create_labels_if_missing: Boolean
) {
  create_item(
    board_id: $board_id, group_id: $group_id, item_name: $item_name, column_values: $column_values
    create_labels_if_missing: $create_labels_if_missing
  ) { ${ITEM} }
}`;

export const CREATE_SUBITEM = `mutation CreateSubitem(
  $parent_item_id: ID!, $item_name: String!, $column_values: JSON, $create_labels_if_missing: Boolean
) {
  create_subitem(
    parent_item_id: $parent_item_id, item_name: $item_name, column_values: $column_values
    create_labels_if_missing: $create_labels_if_missing
  ) { ${ITEM} }
}`;

export const UPDATE_COLUMNS = `mutation UpdateColumns(
  $board_id: ID!, $item_id: ID!, $column_values: JSON!, $create_labels_if_missing: Boolean
) {
  change_multiple_column_values(
    board_id: $board_id, item_id: $item_id, column_values: $column_values
    create_labels_if_missing: $create_labels_if_missing
  ) { ${ITEM} }
}`;

export const MOVE_ITEM = `mutation MoveItem($item_id: ID!, $group_id: String!) {
  move_item_to_group(item_id: $item_id, group_id: $group_id) { ${ITEM} }
}`;

export const MOVE_ITEM_TO_BOARD = `mutation MoveItemToBoard(
  $item_id: ID!, $board_id: ID!, $group_id: ID!, $columns_mapping: [ColumnMappingInput!]
) {
  move_item_to_board(item_id: $item_id, board_id: $board_id, group_id: $group_id, columns_mapping: $columns_mapping) { ${ITEM} }
}`;

export const DELETE_ITEM = 'mutation DeleteItem($item_id: ID!) { delete_item(item_id: $item_id) { id } }';

export const CREATE_UPDATE = `mutation CreateUpdate($item_id: ID!, $body: String!, $parent_id: ID) {
  create_update(item_id: $item_id, body: $body, parent_id: $parent_id) { id text_body created_at item_id creator { id name } }
}`;

export const CREATE_GROUP = `mutation CreateGroup($board_id: ID!, $group_name: String!, $group_color: String) {
  create_group(board_id: $board_id, group_name: $group_name, group_color: $group_color) { id title color }
}`;

export const GET_ITEM = `query GetItem($ids: [ID!], $updates: Boolean!) {
  items(ids: $ids) {
    ${ITEM} creator { id name } parent_item { id name } subitems { id name }
    updates(limit: 25) @include(if: $updates) { id text_body created_at creator { id name } }
  }
}`;

export const SEARCH_ITEMS = `query SearchItems($board_id: ID!, $limit: Int!, $query_params: ItemsQuery) {
  boards(ids: [$board_id]) { items_page(limit: $limit, query_params: $query_params) { ${PAGE} } }
}`;

export const NEXT_ITEMS = `query NextItems($cursor: String!, $limit: Int!) {
  next_items_page(cursor: $cursor, limit: $limit) { ${PAGE} }
}`;

export const BOARDS = `query Boards($limit: Int!, $page: Int!, $workspace_ids: [ID], $state: State) {
  boards(limit: $limit, page: $page, workspace_ids: $workspace_ids, state: $state, order_by: used_at) {
    id name description state board_kind url items_count updated_at workspace { id name }
  }
}`;

export const GROUPS = 'query Groups($board_id: ID!) { boards(ids: [$board_id]) { groups { id title archived } } }';

export const BOARD_COLUMNS = `query Columns($board_id: ID!) {
  boards(ids: [$board_id]) { columns { id title type settings_str archived } }
}`;

export const WORKSPACES = `query Workspaces($limit: Int!, $page: Int!) { workspaces(limit: $limit, page: $page) { id name } }`;

export const CREATE_WEBHOOK = `mutation CreateWebhook($board_id: ID!, $url: String!, $event: WebhookEventType!, $config: JSON) {
  create_webhook(board_id: $board_id, url: $url, event: $event, config: $config) { id board_id }
}`;

export const DELETE_WEBHOOK = 'mutation DeleteWebhook($id: ID!) { delete_webhook(id: $id) { id board_id } }';

export const WEBHOOKS = 'query Webhooks($board_id: ID!) { webhooks(board_id: $board_id) { id } }';
