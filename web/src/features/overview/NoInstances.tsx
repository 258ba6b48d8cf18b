import { useTranslation } from 'react-i18next';
import { useViewer } from '../../app/viewer';
import { Blank } from '../../ui/Notices';

const ATTACH = `kubectl -n kairship-system create secret generic asia-kubeconfig --from-file=kubeconfig=asia.yaml
kubectl apply -f - <<EOF
apiVersion: kairship.io/v1alpha1
kind: Instance
metadata: {name: asia}
spec:
  source: Attached
  attached: {kubeconfigSecretRef: {name: asia-kubeconfig}}
EOF`;

const CREATE = `kubectl apply -f - <<EOF
apiVersion: kairship.io/v1alpha1
kind: Instance
metadata: {name: lab}
spec: {source: Managed}
EOF`;

/** An installation without any instance: how the first one comes to be, for those who may have one made. */
export function NoInstances() {
  const { t } = useTranslation();
  const viewer = useViewer();
  if (!viewer?.owner) return <Blank title={t('overview.none')} hint={t('overview.noneForYou')} />;
  return (
    <Blank title={t('overview.none')} hint={t('overview.noneHint')}>
      <div className="first-instance">
        <Way title={t('overview.attach')} hint={t('overview.attachHint')} command={ATTACH} />
        <Way title={t('overview.create')} hint={t('overview.createHint')} command={CREATE} />
        <p>
          {t('overview.byMutation', { attach: 'attachInstance', create: 'createInstance' })}{' '}
          <a href="/graphiql">{t('overview.openGraphiQL')}</a>
        </p>
      </div>
    </Blank>
  );
}

function Way({ title, hint, command }: { title: string; hint: string; command: string }) {
  return (
    <section>
      <h3>{title}</h3>
      <p>{hint}</p>
      <pre tabIndex={0} aria-label={title}>
        {command}
      </pre>
    </section>
  );
}
