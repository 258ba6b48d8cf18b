interface MeterProps {
  label: string;
  share: number | null;
  text: string;
}

/** How much of something is in use, in words and as a bar. */
export function Meter({ label, share, text }: MeterProps) {
  return (
    <div className="meter">
      <span className="meter-text">{text}</span>
      {share !== null && (
        <span
          className={share > 0.9 ? 'meter-bar is-full' : 'meter-bar'}
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(share * 100)}
        >
          <span style={{ width: `${share * 100}%` }} />
        </span>
      )}
    </div>
  );
}
