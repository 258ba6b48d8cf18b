import { Link } from '@tanstack/react-router';

/** A member cluster, by its name: it leads to all that is known of it. */
export function ClusterLink({ instance, cluster }: { instance: string; cluster: string }) {
  return (
    <Link to="/clusters/$instance/$cluster" params={{ instance, cluster }} className="name wrap">
      {cluster}
    </Link>
  );
}

/** An instance, by its name. */
export function InstanceLink({ instance }: { instance: string }) {
  return (
    <Link to="/clusters/$instance" params={{ instance }} className="name wrap">
      {instance}
    </Link>
  );
}
