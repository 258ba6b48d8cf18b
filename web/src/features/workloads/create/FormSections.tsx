import { Form } from 'antd';
import type { ReactNode } from 'react';
import { useMemo } from 'react';
import { Basics } from './Basics';
import { Containers } from './Containers';
import type { Editing } from './context';
import { EditingContext } from './context';
import { Scheduling } from './Scheduling';
import { Specifics } from './Specifics';
import type { FormValues, ManifestForm } from './useManifestForm';
import { Volumes } from './Volumes';

interface FormSectionsProps {
  view: ManifestForm;
  exists: boolean;
  /** Where workloads of the kind may be made: null for everywhere. */
  namespaces: readonly string[] | null;
  /** Is told that something is another, and of which part. */
  changed: (part: keyof FormValues | undefined) => void;
  /** What follows: where it goes. */
  children?: ReactNode;
}

/** The form of a workload, section by section. */
export function FormSections({ view, exists, namespaces, changed, children }: FormSectionsProps) {
  const { form, kind, parsed, initial } = view;
  const editing = useMemo<Editing>(
    () => ({ kind, exists, changed: () => changed(undefined) }),
    [kind, exists, changed],
  );
  return (
    <EditingContext value={editing}>
      <Form<FormValues>
        form={form}
        name="workload"
        className="action work-form"
        layout="vertical"
        requiredMark={false}
        initialValues={initial}
        disabled={!parsed.ok}
        onValuesChange={(part: Partial<FormValues>) =>
          changed(Object.keys(part)[0] as keyof FormValues | undefined)
        }
      >
        <Basics namespaces={namespaces} />
        <Containers />
        <Volumes />
        <Specifics />
        <Scheduling />
        {children}
      </Form>
    </EditingContext>
  );
}
