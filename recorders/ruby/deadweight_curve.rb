# frozen_string_literal: true

module Deadweight
  # What the process holds over time: its objects right after a full collection, with all that they have outside of their
  # slots. An object that nobody holds is collected with the next garbage, and its finalizer says that there was some; no
  # thread waits for it.
  module Curve
    FILE = 'curve.json'
    SCHEMA = 'deadweight/curve/1'
    # So many points are kept; then of each two the higher one stays.
    MOST = 240
    # Counting takes no more than this share of the time; where the highest moment is looked for, collecting takes more.
    SHARE = 0.05
    SHARE_OF_PEAK = 0.5
    BUDGET = 2.0
    # A look for the highest moment is taken when so much more is there.
    FIRST = 8_000_000
    MORE = 1.03
    CLIMB = 1.5
    # Near the highest moment a better capture takes the place of the one before, so many times at most.
    BETTER = 1.03
    MOST_TAKEN = 2
    # Where the highest moment is looked for, a thread looks as well: what makes no garbage is not collected.
    LOOK_SECONDS = 0.02

    @settings = nil

    class << self
      # `take` takes a capture.
      def start(settings, &take)
        return if settings.churn # what is made for it would count as made by the program

        @settings = settings
        @take = take
        @started = now
        @points = []
        @highest = [0, 0]
        @full = GC.stat(:major_gc_count)
        @spent = 0
        @busy = false
        @target = settings.highest.to_i
        @next = @target.positive? ? @target : FIRST
        @most = 0
        @taken = 0
        @after = method(:collected).to_proc
        wait
        look_now_and_then if settings.highest
      end

      # The program has ended: finalizers run all the same.
      def finish
        return if @settings.nil?

        @next /= CLIMB if @settings.highest == 'climb'
        look_for_highest if @settings.highest
        @settings = nil
      end

      # What was seen until the capture, which collects garbage itself; nil where nothing is noted.
      def until_now
        @settings && [elapsed, @points, @highest]
      end

      # `held` are the bytes at the capture.
      def write(directory, (moment, points, highest), held)
        captured = [moment, held]
        highest = captured if held > highest[1]
        Files.write(directory, FILE) do |file|
          file.write(Files.json({ schema: SCHEMA, of: 'collected', highest: point(highest), captured: point(captured),
                                  points: points.map { |one| point(one) } }), "\n")
        end
        FILE
      end

      private

      def wait
        ObjectSpace.define_finalizer(Object.new, @after)
      end

      def collected(_)
        return if @settings.nil? || @busy

        guarded { @settings.highest ? look_for_highest : look }
        wait unless @settings.nil?
      end

      # The thread only asks; the program's own stands still while it is looked at.
      def look_now_and_then
        main = Thread.current
        hook = TracePoint.new(:line, :b_call, :c_call, :c_return) do
          hook.disable
          guarded { look_for_highest } unless @settings.nil? || @busy
        end
        thread = Thread.new do
          until @settings.nil?
            sleep(LOOK_SECONDS)
            next if @settings.nil? || @busy || hook.enabled? || over_budget?

            hook.enable(target_thread: main) if timed { held >= @next }
          end
        end
        thread.report_on_exception = false
      end

      def over_budget?
        @spent > BUDGET + ((now - @started) * SHARE_OF_PEAK)
      end

      def guarded
        @busy = true
        yield
      rescue Exception => error # rubocop:disable Lint/RescueException -- the program goes on
        Deadweight.fail('what is held over time is no longer noted', error)
        @settings = nil
      ensure
        @busy = false
      end

      def look
        full = GC.stat(:major_gc_count)
        return if full == @full || @spent > (now - @started) * SHARE

        @full = full
        timed { add(held) }
      end

      # Garbage is collected when more is there than ever, as only then it is known what is held.
      def look_for_highest
        return if over_budget?

        kept = timed { full_collection if held >= @next }
        return if kept.nil?

        if @settings.highest == 'measure'
          @most = [@most, kept].max
          @next = [FIRST, (@most * MORE).to_i].max
          Files.note(@settings.journal, "highest #{Process.pid} #{@most}")
        elsif kept >= @next
          climbs = @target.zero?
          @taken += 1
          @next = !climbs && @taken == MOST_TAKEN ? Float::INFINITY : kept * (climbs ? CLIMB : BETTER)
          @take.call
        end
      end

      def full_collection
        GC.start
        held.tap { |bytes| add(bytes) }
      end

      def timed
        began = now
        yield
      ensure
        @spent += now - began
      end

      # What is hidden from the program is in it, as in a capture's totals.
      def held
        ObjectSpace.count_objects_size[:TOTAL] - Sites.bytes
      end

      def add(bytes)
        moment = [elapsed, bytes]
        @highest = moment if bytes > @highest[1]
        Files.note(@settings.journal, "held #{Process.pid} #{moment[0]} #{bytes}")
        @points << moment
        @points = @points.each_slice(2).map { |two| two.max_by(&:last) } if @points.size >= MOST
      end

      def point(moment)
        { ms: moment[0], bytes: moment[1] }
      end

      def elapsed
        ((now - @started) * 1000).round
      end

      def now
        Process.clock_gettime(Process::CLOCK_MONOTONIC)
      end
    end
  end
end
