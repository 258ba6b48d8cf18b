/** Texts of the deletion of a namespace: they come with its dialog. */
export const en = {
  namespaceDeletion: {
    button: 'Delete {{name}}',
    lead: 'Karmada deletes it in every member that has it, too, with all that is in it there.',
    cascade: 'Delete also what it holds',
    cascadeHint:
      'Without it, only a namespace without workloads, services, configuration, volumes and policies is deleted.',
  },
};
