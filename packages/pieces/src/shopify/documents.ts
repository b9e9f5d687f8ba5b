const PAGE_INFO = 'pageInfo { hasNextPage endCursor }';
const MONEY = 'shopMoney { amount currencyCode }';

export const ORDER = `id name email createdAt updatedAt cancelledAt displayFinancialStatus displayFulfillmentStatus note tags
    totalPriceSet { ${MONEY} } customer { id displayName } lineItems(first: 100) { nodes { id title quantity sku } }`;
export const PRODUCT = `id title handle status vendor productType tags descriptionHtml createdAt updatedAt
    variants(first: 100) { nodes { id title sku price inventoryQuantity inventoryItem { id } } }`;
export const CUSTOMER = `id displayName firstName lastName note tags createdAt numberOfOrders
    defaultEmailAddress { emailAddress } defaultPhoneNumber { phoneNumber }`;

const ERRORS = 'userErrors { field message }';

export const SHOP = 'query Shop { shop { id name myshopifyDomain } }';

export const ORDERS = `query Orders($first: Int!, $after: String, $query: String) {
  orders(first: $first, after: $after, query: $query, sortKey: CREATED_AT, reverse: true) { nodes { ${ORDER} } ${PAGE_INFO} }
}`;

export const GET_ORDER = `query Order($id: ID!) { order(id: $id) { ${ORDER} } }`;

export const CREATE_ORDER = `mutation CreateOrder($order: OrderCreateOrderInput!, $options: OrderCreateOptionsInput) {
  orderCreate(order: $order, options: $options) { order { ${ORDER} } ${ERRORS} }
}`;

export const CANCEL_ORDER = `mutation CancelOrder(
  $orderId: ID!, $reason: OrderCancelReason!, $restock: Boolean!, $notifyCustomer: Boolean, $staffNote: String
  $refundMethod: OrderCancelRefundMethodInput
) {
  orderCancel(
    orderId: $orderId, reason: $reason, restock: $restock, notifyCustomer: $notifyCustomer, staffNote: $staffNote
    refundMethod: $refundMethod
  ) { job { id done } orderCancelUserErrors { field message code } }
}`;

export const FULFILLMENT_ORDERS = `query FulfillmentOrders($id: ID!) {
  order(id: $id) { fulfillmentOrders(first: 50) { nodes { id status assignedLocation { name location { id } } } } }
}`;

export const FULFILL = `mutation Fulfill($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id status trackingInfo { number url company } } ${ERRORS} }
}`;

/**
 * Shopify rejects a refund and a change of stock without an idempotency key. It runs a mutation once per key:
 * https://shopify.dev/docs/api/usage/idempotent-requests
 */
const ONCE = '@idempotent(key: $idempotencyKey)';

export const REFUND = `mutation Refund($input: RefundInput!, $idempotencyKey: String!) {
  refundCreate(input: $input) ${ONCE} { refund { id totalRefundedSet { ${MONEY} } } ${ERRORS} }
}`;

/** Returns the transactions of an order. The parent of a refund is the payment that it refunds. */
export const PAYMENTS = `query Payments($id: ID!) {
  order(id: $id) { transactions(first: 50) { id kind status gateway amountSet { ${MONEY} } parentTransaction { id } } }
}`;

export const CREATE_PRODUCT = `mutation CreateProduct($product: ProductCreateInput!) {
  productCreate(product: $product) { product { ${PRODUCT} } ${ERRORS} }
}`;

export const UPDATE_PRODUCT = `mutation UpdateProduct($product: ProductUpdateInput!) {
  productUpdate(product: $product) { product { ${PRODUCT} } ${ERRORS} }
}`;

export const PRODUCTS = `query Products($first: Int!, $after: String, $query: String) {
  products(first: $first, after: $after, query: $query) { nodes { ${PRODUCT} } ${PAGE_INFO} }
}`;

export const CREATE_CUSTOMER = `mutation CreateCustomer($input: CustomerInput!) {
  customerCreate(input: $input) { customer { ${CUSTOMER} } ${ERRORS} }
}`;

export const CUSTOMERS = `query Customers($first: Int!, $after: String, $query: String) {
  customers(first: $first, after: $after, query: $query) { nodes { ${CUSTOMER} } ${PAGE_INFO} }
}`;

export const LOCATIONS = `query Locations($first: Int!, $after: String) {
  locations(first: $first, after: $after) { nodes { id name } ${PAGE_INFO} }
}`;

export const ADJUST_INVENTORY = `mutation AdjustInventory($input: InventoryAdjustQuantitiesInput!, $idempotencyKey: String!) {
  inventoryAdjustQuantities(input: $input) ${ONCE} {
    inventoryAdjustmentGroup { createdAt reason changes { name delta } } ${ERRORS}
  }
}`;

export const WEBHOOKS = `query Webhooks($first: Int!, $after: String) {
  webhookSubscriptions(first: $first, after: $after) { nodes { id uri topic } ${PAGE_INFO} }
}`;

export const CREATE_WEBHOOK = `mutation CreateWebhook($topic: WebhookSubscriptionTopic!, $subscription: WebhookSubscriptionInput!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: $subscription) { webhookSubscription { id } ${ERRORS} }
}`;

export const DELETE_WEBHOOK = `mutation DeleteWebhook($id: ID!) {
  webhookSubscriptionDelete(id: $id) { deletedWebhookSubscriptionId ${ERRORS} }
}`;
