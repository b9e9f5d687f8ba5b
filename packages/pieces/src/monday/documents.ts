const ITEM = `id name url state created_at updated_at board { id name } group { id title } parent_item { id }
    column_values { id text type column { title } }`;

export const ME = 'query Me { me { id name email } }';

export const BOARDS = `query Boards($page: Int!, $limit: Int!, $workspaces: [ID]) {
  boards(page: $page, limit: $limit, workspace_ids: $workspaces, order_by: used_at, state: active) {
    id name description url type items_count workspace { id name }
  }
}`;

export const GROUPS = 'query Groups($boards: [ID!]) { boards(ids: $boards) { groups { id title } } }';

export const COLUMNS = `query Columns($boards: [ID!]) {
  boards(ids: $boards) { columns { id title type archived settings_str description } }
}`;

export const ITEMS = `query Items($ids: [ID!]) { items(ids: $ids) { ${ITEM} } }`;

export const ITEMS_WITH_UPDATES = `query ItemsWithUpdates($ids: [ID!], $updates: Int) {
  items(ids: $ids) { ${ITEM} updates(limit: $updates) { id text_body created_at creator_id } }
}`;

export const SEARCH = `query Search($boards: [ID!], $limit: Int!, $rules: [ItemsQueryRule!]) {
  boards(ids: $boards) { items_page(limit: $limit, query_params: { rules: $rules }) { cursor items { ${ITEM} } } }
}`;

export const NEXT_ITEMS = `query NextItems($cursor: String!, $limit: Int!) {
  next_items_page(cursor: $cursor, limit: $limit) { cursor items { ${ITEM} } }
}`;

export const CREATE_ITEM = `mutation CreateItem($board: ID!, $name: String!, $group: String, $columns: JSON, $labels: Boolean) {
  create_item(board_id: $board, item_name: $name, group_id: $group, column_values: $columns, create_labels_if_missing: $labels) {
    ${ITEM}
  }
}`;

export const UPDATE_COLUMNS = `mutation UpdateColumns($board: ID!, $item: ID!, $columns: JSON!, $labels: Boolean) {
  change_multiple_column_values(board_id: $board, item_id: $item, column_values: $columns, create_labels_if_missing: $labels) {
    ${ITEM}
  }
}`;

export const CREATE_UPDATE = `mutation CreateUpdate($item: ID!, $body: String!, $parent: ID) {
  create_update(item_id: $item, body: $body, parent_id: $parent) { id body created_at }
}`;

export const MOVE_ITEM = `mutation MoveItem($item: ID!, $group: String!) {
  move_item_to_group(item_id: $item, group_id: $group) { ${ITEM} }
}`;

export const CREATE_SUBITEM = `mutation CreateSubitem($parent: ID!, $name: String!, $columns: JSON) {
  create_subitem(parent_item_id: $parent, item_name: $name, column_values: $columns) { ${ITEM} }
}`;

export const CREATE_GROUP = `mutation CreateGroup($board: ID!, $name: String!) {
  create_group(board_id: $board, group_name: $name) { id title }
}`;

export const DELETE_ITEM = 'mutation DeleteItem($item: ID!) { delete_item(item_id: $item) { id } }';

export const CREATE_WEBHOOK = `mutation CreateWebhook($board: ID!, $url: String!, $event: WebhookEventType!, $config: JSON) {
  create_webhook(board_id: $board, url: $url, event: $event, config: $config) { id }
}`;

export const DELETE_WEBHOOK = 'mutation DeleteWebhook($id: ID!) { delete_webhook(id: $id) { id } }';
