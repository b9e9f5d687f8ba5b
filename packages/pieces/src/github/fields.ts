import { type Fields, same } from '../pick-fields.js';

export const ISSUE_ITEM: Fields = {
  ...same('number', 'title', 'state', 'state_reason'),
  author: 'user.login',
  labels: 'labels.*.name',
  assignees: 'assignees.*.login',
  milestone: 'milestone.title',
  ...same('comments', 'created_at', 'updated_at', 'closed_at', 'html_url'),
};

export const ISSUE: Fields = { ...ISSUE_ITEM, ...same('body') };

export const COMMENT: Fields = { ...same('id', 'body', 'created_at', 'html_url'), author: 'user.login' };

export const PULL_REQUEST_ITEM: Fields = {
  ...same('number', 'title', 'state', 'draft'),
  author: 'user.login',
  head: 'head.ref',
  head_sha: 'head.sha',
  base: 'base.ref',
  labels: 'labels.*.name',
  assignees: 'assignees.*.login',
  reviewers: 'requested_reviewers.*.login',
  ...same('created_at', 'updated_at', 'closed_at', 'merged_at', 'html_url'),
};

export const PULL_REQUEST: Fields = {
  ...PULL_REQUEST_ITEM,
  ...same('body', 'merged', 'mergeable', 'mergeable_state', 'commits', 'changed_files', 'additions', 'deletions'),
  ...same('comments', 'review_comments'),
  merged_by: 'merged_by.login',
};

export const REVIEW: Fields = {
  ...same('id', 'state', 'body', 'commit_id', 'submitted_at', 'html_url'),
  author: 'user.login',
};

export const REPOSITORY: Fields = {
  ...same('full_name', 'description', 'visibility', 'fork', 'archived', 'default_branch', 'language'),
  stars: 'stargazers_count',
  open_issues: 'open_issues_count',
  ...same('pushed_at', 'html_url'),
};

export const CODE: Fields = {
  repository: 'repository.full_name',
  ...same('path', 'sha'),
  fragments: 'text_matches.*.fragment',
  ...same('html_url'),
};

export const COMMIT: Fields = {
  ...same('sha'),
  message: 'commit.message',
  author: 'commit.author.name',
  email: 'commit.author.email',
  date: 'commit.author.date',
  login: 'author.login',
  ...same('html_url'),
};

export const RELEASE: Fields = same(
  ...['id', 'tag_name', 'name', 'body', 'draft', 'prerelease', 'target_commitish', 'published_at', 'html_url'],
);
