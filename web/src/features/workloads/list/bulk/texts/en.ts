/** Texts of what is done to several workloads at once: they come with the list. */
export const en = {
  workloadBulk: {
    verb: {
      restart: 'Restart',
      scale: 'Scale',
      protect: 'Protect',
      unprotect: 'Remove protection',
      delete: 'Delete',
    },
    replicas_one: '{{count}} replica',
    replicas_other: '{{count}} replicas',
    none: {
      kind: 'None of the selected workloads is of a kind that this can be done to.',
      right: 'Your roles do not let you do this to any of the selected workloads.',
      deleting: 'They are being deleted.',
    },
    leftOut: {
      kind: 'A {{kind}} cannot be treated so.',
      right: 'Your roles do not let you.',
      deleting: 'It is being deleted.',
    },
    restart: {
      title_one: 'Restart {{count}} workload',
      title_other: 'Restart {{count}} workloads',
      lead: 'Their pods are made anew in every cluster, one workload after another.',
      submit: 'Restart',
      done: 'Restarted',
      failed: 'They were not restarted.',
    },
    scale: {
      title_one: 'Scale {{count}} workload',
      title_other: 'Scale {{count}} workloads',
      lead: 'Each of them asks for the same number of replicas then.',
      hint: 'What each template asks for in all; its policy divides or copies them over the clusters.',
      submit: 'Scale',
      done: 'Scaled',
      failed: 'They were not scaled.',
    },
    protect: {
      title_one: 'Protect {{count}} workload from deletion',
      title_other: 'Protect {{count}} workloads from deletion',
      lead: 'Karmada then refuses to delete them, whoever asks, until the protection is removed.',
      submit: 'Protect',
      done: 'Protected',
      failed: 'They were not protected.',
    },
    unprotect: {
      title_one: 'Remove the protection of {{count}} workload',
      title_other: 'Remove the protection of {{count}} workloads',
      lead: 'Whoever has the right to delete them can then do so. Those that are not protected stay as they are.',
      submit: 'Remove protection',
      done: 'Not protected',
      failed: 'The protection was not removed.',
    },
  },
};
