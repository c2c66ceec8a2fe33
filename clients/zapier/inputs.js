/** An optional workspace: needed with a key of the whole organization. */
const workspaceField = {
  key: 'workspace_id',
  label: 'Workspace',
  required: false,
  dynamic: 'workspace.id.name',
  helpText: 'Only required with an organization key, which can access all workspaces.',
};

/** The inputs that were filled in: Zapier gives the others as undefined, null or empty. A zero is one, and refused where it is wrong. */
const filledIn = (inputs) =>
  Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined && value !== null && value !== ''));

const ofWorkspace = ({ inputData: { workspace_id } }) => filledIn({ workspace_id });

module.exports = { filledIn, ofWorkspace, workspaceField };
