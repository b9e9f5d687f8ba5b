/**
 * Types `waitForApprovalSeconds` in place. Its controller accepts any value, because an invalid value fails with INVALID_CODE_EXECUTE_REQUEST, and a
 * declared type would fail with VALIDATION_ERROR.
 */
export function typeCodeRequest(schemas) {
  const { properties } = schemas.ExecuteMcpCodeBody;
  const { description } = properties.waitForApprovalSeconds;
  properties.waitForApprovalSeconds = { type: 'integer', format: 'int32', minimum: 0, maximum: 60, description };
}
