//! The `deadweight-fleet` command: the weighings of many services, and what dead weight costs over all of them.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::{env, fmt};

use anyhow::Context as _;
use chrono::{Days, Utc};
use clap::Parser as _;
use deadweight_fleet::cluster::{Backend, Scheduler};
use deadweight_fleet::dataset::{GRACE, Place, State, Writer, compact, retain, sweep};
use deadweight_fleet::ingest::{self, Source};
use deadweight_fleet::serve::{Settings, serve};
use deadweight_fleet::show::{self, Screen};
use deadweight_fleet::{Engine, Texts, questions};
use deadweight_report::figures::counted;
use deadweight_weighing::harmless;
use serde::Serialize;
use serde_json::json;
use tokio::net::TcpListener;

mod arguments;

use arguments::{Arguments, Color, Command, Format, Ingest, Look, Serve};

/// Something that was looked for was found.
const FOUND: u8 = 1;

/// Input or arguments that cannot be used.
const UNUSABLE: u8 = 2;

/// How wide text is that goes nowhere a width is known of.
const PAGE: usize = 100;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let done = runtime
        .context("no threads could be started")
        .and_then(|runtime| runtime.block_on(run(arguments)));
    match done {
        Ok(code) => code,
        Err(error) if reader_has_gone(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("deadweight fleet: {}", harmless(&format!("{error:#}")));
            ExitCode::from(UNUSABLE)
        }
    }
}

async fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let writes = matches!(arguments.command, Command::Ingest(_) | Command::Serve(_));
    let place = if writes {
        Place::make(&arguments.dataset)
    } else {
        Place::open(&arguments.dataset)
    }?;
    let scheduler = arguments.scheduler;
    match arguments.command {
        Command::Ingest(arguments) => return take_in(place, arguments).await,
        Command::Serve(arguments) => return serve_at(place, arguments, scheduler).await,
        Command::Top(top) => {
            let engine = open(&place, scheduler.as_ref()).await?;
            let service = top.service.as_deref();
            let answer = questions::top(&engine, top.days, top.limit, service, top.price_gb_hour).await?;
            answered(&answer, top.look, show::top)?;
        }
        Command::Trend(trend) => {
            let engine = open(&place, scheduler.as_ref()).await?;
            let service = trend.service.as_deref();
            let answer = questions::trend(&engine, trend.days, service, trend.price_gb_hour).await?;
            answered(&answer, trend.look, show::trend)?;
        }
        Command::Regressions(asked) => {
            let engine = open(&place, scheduler.as_ref()).await?;
            let service = asked.service.as_deref();
            let answer = questions::regressions(&engine, asked.days, service, asked.confidence).await?;
            answered(&answer, asked.look, show::regressions)?;
            if asked.fail && !answer.worse.is_empty() {
                return Ok(ExitCode::from(FOUND));
            }
        }
        Command::Rollout(asked) => {
            let engine = open(&place, scheduler.as_ref()).await?;
            let between = asked.before.as_deref().zip(asked.after.as_deref());
            let answer =
                questions::rollout(&engine, asked.days, &asked.service, between, asked.confidence).await?;
            answered(&answer, asked.look, show::rollout)?;
        }
        Command::Who(who) => {
            let engine = open(&place, scheduler.as_ref()).await?;
            let answer = questions::who(&engine, who.days, &who.fingerprint).await?;
            answered(&answer, who.look, show::who)?;
        }
        Command::Sql(sql) => {
            let rows = open(&place, scheduler.as_ref()).await?.sql(&sql.question).await?;
            match sql.look.format {
                Format::Json => json(&questions::json_rows(&rows)?)?,
                Format::Terminal => {
                    let (names, rows) = questions::texts(&rows)?;
                    print(&show::rows(&names, rows, &screen(sql.look)))?;
                }
            }
        }
        Command::Compact(asked) => {
            let done = compact(&place, 1).await?;
            let swept = sweep(&place, GRACE).await?;
            let words = format!(
                "{} became {}; {} that nothing lists any more removed",
                counted(done.before, "part"),
                done.after,
                counted(swept.files, "file")
            );
            let answer =
                json!({"parts_before": done.before, "parts_after": done.after, "files_removed": swept.files});
            said(asked.look, &words, &answer)?;
        }
        Command::Retain(asked) => {
            let from = Utc::now()
                .date_naive()
                .checked_sub_days(Days::new(asked.days - 1));
            let from = from.context("that is before the calendar begins")?;
            let done = retain(&place, from).await?;
            sweep(&place, GRACE).await?;
            let words = format!(
                "{} before {from} removed, {} are left",
                counted(done.before.saturating_sub(done.after), "weighing"),
                done.after
            );
            let answer = json!({"since": from.to_string(), "before": done.before, "after": done.after});
            said(asked.look, &words, &answer)?;
        }
        Command::Parts(look) => {
            let state = State::read(&place).await?;
            let parts: Vec<_> = state.parts.values().collect();
            match look.format {
                Format::Json => json(&parts)?,
                Format::Terminal => print(&parts.iter().map(|part| part.name.clone()).collect::<Vec<_>>())?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn open(place: &Place, scheduler: Option<&Scheduler>) -> deadweight_fleet::Result<Engine> {
    Engine::open(place, &Backend::at(scheduler).await?).await
}

async fn take_in(place: Place, arguments: Ingest) -> anyhow::Result<ExitCode> {
    let by_path = arguments.labels().map_err(anyhow::Error::msg)?;
    for path in arguments.from.iter().filter(|path| path.as_os_str() != "-") {
        anyhow::ensure!(path.exists(), "{} is not there", path.display());
    }
    let sources = arguments.from.iter().map(|path| {
        if path.as_os_str() == "-" {
            Source::StandardInput
        } else {
            Source::Folder(path.clone())
        }
    });
    let mut writer = Writer::open(place).await?;
    let shows_progress = io::stderr().is_terminal();
    let mut progress = |report: &ingest::Report| {
        if shows_progress {
            eprint!("\r{} taken in", counted(report.new + report.known, "weighing"));
        }
    };
    let texts = Texts::new(arguments.with_texts);
    let given = arguments.given();
    let report = ingest::ingest(
        &mut writer,
        sources.collect(),
        arguments.batch,
        by_path,
        given,
        texts,
        &mut progress,
    )
    .await?;
    if shows_progress {
        eprint!("\r\x1b[K");
    }
    for bad in &report.bad {
        eprintln!(
            "deadweight fleet: {}: {}",
            harmless(&bad.name),
            harmless(&bad.why.to_string())
        );
    }
    let bad = report.bad.len() as u64;
    let words = format!(
        "{} taken in, {} known already, {} not taken",
        counted(report.new, "weighing"),
        report.known,
        bad
    );
    let names: Vec<_> = report
        .bad
        .iter()
        .map(|bad| json!({"input": bad.name, "why": bad.why.to_string()}))
        .collect();
    let answer = json!({"new": report.new, "known": report.known, "bad": names});
    said(arguments.look, &words, &answer)?;
    Ok(if bad == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::from(UNUSABLE)
    })
}

async fn serve_at(place: Place, arguments: Serve, scheduler: Option<Scheduler>) -> anyhow::Result<ExitCode> {
    let token = arguments.token_file.map(|path| {
        let secret = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
        let secret = secret.trim().to_owned();
        anyhow::ensure!(!secret.is_empty(), "{} is empty", path.display());
        Ok(secret)
    });
    let settings = Settings {
        largest: arguments.largest,
        token: token.transpose()?,
        names: arguments.names,
        texts: Texts::new(arguments.with_texts),
        retain: arguments.retain,
        price: arguments.price_gb_hour,
    };
    let backend = Backend::at(scheduler.as_ref()).await?;
    let listen = arguments.listen;
    let listener = TcpListener::bind(listen)
        .await
        .with_context(|| format!("cannot listen at {listen}"))?;
    let address = listener.local_addr()?;
    if !address.ip().is_loopback() {
        eprintln!("deadweight fleet: everybody who reaches {address} can read what is here");
    }
    print(&[format!(
        "The page is at http://{address}/; services post to http://{address}/weighings"
    )])?;
    serve(place, backend, listener, settings).await?;
    Ok(ExitCode::SUCCESS)
}

fn answered<A: Serialize>(
    answer: &A,
    look: Look,
    lines: impl Fn(&A, &Screen) -> Vec<String>,
) -> anyhow::Result<()> {
    match look.format {
        Format::Json => json(answer),
        Format::Terminal => print(&lines(answer, &screen(look))),
    }
}

fn said(look: Look, words: &str, answer: &serde_json::Value) -> anyhow::Result<()> {
    match look.format {
        Format::Json => json(answer),
        Format::Terminal => print(&[words]),
    }
}

fn json(answer: &impl Serialize) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer_pretty(&mut out, answer)?;
    writeln!(out)?;
    Ok(())
}

fn print(lines: &[impl fmt::Display]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for line in lines {
        writeln!(out, "{line}")?;
    }
    out.flush()?;
    Ok(())
}

fn screen(look: Look) -> Screen {
    let on_terminal = io::stdout().is_terminal();
    let wanted = env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
    let colour = match look.color {
        Color::Auto => on_terminal && wanted,
        Color::Always => true,
        Color::Never => false,
    };
    let columns = env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let size = || terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    let width = columns.or_else(|| size().filter(|_| on_terminal)).unwrap_or(PAGE);
    Screen::new(deadweight_report::Look { width, colour })
}

/// Whether an error only says that nobody reads any more.
fn reader_has_gone(error: &anyhow::Error) -> bool {
    let broken = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(broken))
}
