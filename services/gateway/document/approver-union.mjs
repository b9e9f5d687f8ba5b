const TYPES = {
  org_role: {
    field: 'roles',
    schema: { type: 'array', items: { type: 'string', enum: ['owner', 'admin', 'member'] } },
    description: 'Every member with one of these roles.',
  },
  dashboard_user: {
    field: 'userIds',
    schema: { type: 'array', items: { type: 'string' } },
    description: 'These members of the organization, by user id.',
  },
  end_user: { description: 'The end user that the call runs for, in the connect portal.' },
  webhook: {
    field: 'webhookUrl',
    schema: { type: 'string', maxLength: 2000 },
    description: 'The public HTTPS URL that receives the lifecycle events.',
  },
};

/** Rewrites the schema of an approver, in place, to a union by `type`. tsoa can only generate one object with the fields of all types. */
export function typeApprovers(schemas) {
  const { description } = schemas.ApprovalApprover;
  schemas.ApprovalApprover = { description, oneOf: Object.keys(TYPES).map((type) => ({ $ref: refOf(type) })) };
  schemas.ApprovalApprover.discriminator = {
    propertyName: 'type',
    mapping: Object.fromEntries(Object.keys(TYPES).map((type) => [type, refOf(type)])),
  };
  for (const type of Object.keys(TYPES)) schemas[nameOf(type)] = toSchema(type, TYPES[type]);
}

function toSchema(type, { field, schema, description }) {
  return {
    type: 'object',
    description,
    additionalProperties: false,
    required: ['type', ...(field ? [field] : [])],
    properties: {
      type: { type: 'string', const: type, description: `Always \`${type}\`.` },
      ...(field && { [field]: { ...schema, description } }),
    },
  };
}

const refOf = (type) => `#/components/schemas/${nameOf(type)}`;

/** Returns the schema name of an approver type: `org_role` becomes `OrgRoleApprover`. */
const nameOf = (type) => `${type.replace(/(^|_)([a-z])/g, (_match, _start, letter) => letter.toUpperCase())}Approver`;
