import Charts from '../charts/Charts';
import { useSearchChange } from '../../../ui/page/ConnectionPage';
import type { Range } from '../search';

interface ChartsTabProps {
  instance: string;
  cluster: string;
  range?: Range;
}

export default function ChartsTab({ instance, cluster, range }: ChartsTabProps) {
  const change = useSearchChange();
  return (
    <Charts instance={instance} cluster={cluster} range={range} setRange={(range) => change({ range })} />
  );
}
