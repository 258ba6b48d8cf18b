import type { ReactNode } from 'react';
import logo from '../assets/kairship.svg';

export function Logo() {
  return <img className="logo" src={logo} alt="" width={24} height={24} />;
}

function Icon({ children }: { children: ReactNode }) {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

export function OverviewIcon() {
  return (
    <Icon>
      <path d="M3 11.500h3.500l2-6 3 9 2-5H17" />
    </Icon>
  );
}

export function WorkloadsIcon() {
  return (
    <Icon>
      <path d="M10 2.5 16.5 6v8L10 17.5 3.5 14V6L10 2.500ZM3.5 6 10 9.5 16.5 6M10 9.500v8" />
    </Icon>
  );
}

export function ClustersIcon() {
  return (
    <Icon>
      <path d="M3.5 4h13v4.500h-13ZM3.5 11.500h13V16h-13ZM6.5 6.250h.1M6.5 13.750h.1M10 6.250h3.500M10 13.750h3.5" />
    </Icon>
  );
}

export function ApplyIcon() {
  return (
    <Icon>
      <path d="M10 3v9M6.500 8.500 10 12l3.5-3.500M3.5 13.500V17h13v-3.500" />
    </Icon>
  );
}

export function AuditIcon() {
  return (
    <Icon>
      <path d="M5 2.500h7l3.5 3.500V17.500H5ZM12 2.500V6h3.500M7.500 10h5M7.500 13.500h5" />
    </Icon>
  );
}

export function GraphiQLIcon() {
  return (
    <Icon>
      <path d="M7 5 2.5 10 7 15M13 5l4.5 5-4.5 5" />
    </Icon>
  );
}

export function SearchIcon() {
  return (
    <Icon>
      <path d="M9 14.500a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11ZM13 13l4 4" />
    </Icon>
  );
}

export function PersonIcon() {
  return (
    <Icon>
      <path d="M10 10a3.25 3.25 0 1 0 0-6.5 3.25 3.25 0 0 0 0 6.500ZM3.5 17c.8-3 3.4-4.5 6.5-4.500s5.7 1.5 6.5 4.5" />
    </Icon>
  );
}

export function PoliciesIcon() {
  return (
    <Icon>
      <path d="M3.5 5h5M11.500 5h5M3.5 10h8M14.500 10h2M3.5 15h2M8.500 15h8M8.500 3.500v3M11.500 8.500v3M5.5 13.500v3" />
    </Icon>
  );
}

export function ResourcesIcon() {
  return (
    <Icon>
      <path d="M3.5 3.500h5.500v5.500H3.500ZM11 3.500h5.500v5.500H11ZM3.5 11h5.500v5.500H3.500ZM11 11h5.500v5.500H11Z" />
    </Icon>
  );
}

export function NamespacesIcon() {
  return (
    <Icon>
      <path d="M3.500 7V3.500H7M13 3.500h3.500V7M16.500 13v3.500H13M7 16.500H3.500V13M7.500 7.500h5v5h-5Z" />
    </Icon>
  );
}

export function EventsIcon() {
  return (
    <Icon>
      <path d="M2.5 10h3.500l2.500-6 3 12 2.500-6h3.5" />
    </Icon>
  );
}

export function AccessIcon() {
  return (
    <Icon>
      <path d="M6.5 9a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM1.5 16c.4-2.800 2.400-4.200 5-4.200 1.3 0 2.500.4 3.400 1M13.500 9.500a2 2 0 1 1 2 2v0M15.500 11.500V17M15.500 14.500h2" />
    </Icon>
  );
}
