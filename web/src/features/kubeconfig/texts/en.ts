export const en = {
  kubeconfig: {
    button: 'Kubeconfig',
    title: 'Kubeconfig for {{instance}}',
    lead: 'For kubectl, through Kairship and as yourself: it allows what your roles allow at that moment. It has a context for the control plane and one for each member.',
    cluster: 'Current context',
    controlPlane: '{{instance}}, the control plane',
    namespace: 'Namespace',
    notANamespace:
      '“{{typed}}” is no namespace: give lower case letters, digits and “-”, at most 63, or nothing.',
    lifetime: 'Good for',
    for: { hour: '1 hour', hours: '8 hours', day: '1 day', days: '7 days', month: '30 days' },
    issue: 'Issue',
    failed: 'It was not issued.',
    once: 'It is shown this once. Keep it as you keep a password.',
    ends: 'It ends {{moment}}.',
    download: 'Download {{file}}',
    takeBack: 'Take back all my kubeconfigs',
    takeBackSure: 'Take back all your kubeconfigs?',
    takeBackHint: 'Those of every instance stop working within seconds, also where others use them.',
    takeBackYes: 'Take them back',
    takenBack: 'All that were issued to you until {{moment}} are taken back.',
  },
};
