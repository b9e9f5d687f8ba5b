// The fields of responses in addition to the gid. Without the parameter `opt_fields`, a response contains all fields, or only the name:
// https://developers.asana.com/docs/inputoutput-options

const TASK =
  'name,resource_subtype,completed,completed_at,created_at,modified_at,due_on,due_at,start_on,assignee.name,' +
  'parent.name,projects.name,memberships.section.name,tags.name,permalink_url';

/** The fields of a task in a list. */
export const LISTED_TASK = { opt_fields: { constant: TASK } };

export const WHOLE_TASK = {
  opt_fields: {
    constant: `${TASK},notes,num_subtasks,workspace.name,followers.name,created_by,custom_fields.name,custom_fields.display_value`,
  },
};

export const PROJECT = {
  opt_fields: { constant: 'name,notes,due_on,start_on,default_view,privacy_setting,team.name,permalink_url' },
};

export const COMMENT = { opt_fields: { constant: 'text,created_at,created_by.name,is_pinned' } };

export const ATTACHMENT = 'name,resource_subtype,size,created_at,permanent_url,view_url';
