# frozen_string_literal: true

require 'fileutils'
require 'open3'

# Rubies of other releases of Debian, unpacked beside the system's own: nothing is installed. The packages come from the
# mirror that the system uses, and their signatures are checked.
module Rubies
  # Version, release and what is needed of it. The system's C library is new enough for the first and too old for the last.
  OTHERS = {
    '2.7' => ['bullseye', %w[libruby2.7 ruby2.7]],
    '3.3' => ['trixie', %w[libruby3.3 ruby3.3 libc6]]
  }.freeze
  KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg'
  LIBRARIES = 'usr/lib/x86_64-linux-gnu'

  # By version, what starts it: variables of the environment and arguments. One that the mirror does not serve is left out.
  def self.all(scratch)
    found = OTHERS.filter_map do |version, (release, packages)|
      root = File.join(scratch, "ruby#{version}")
      unpack(root, release, packages) unless File.exist?(File.join(root, "usr/bin/ruby#{version}"))
      [version, starting(version, root)]
    rescue StandardError => e
      warn "no Ruby #{version}: #{e.message}"
    end
    { 'system' => [{}, ['ruby', '--disable-gems']] }.merge(found.to_h)
  end

  def self.starting(version, root)
    libraries = File.join(root, LIBRARIES)
    linker = File.join(libraries, 'ld-linux-x86-64.so.2')
    program = [File.join(root, "usr/bin/ruby#{version}"), '--disable-gems']
    paths = ["#{root}/usr/lib/ruby/#{version}.0", "#{libraries}/ruby/#{version}.0"].join(':')
    search = "#{libraries}:/#{LIBRARIES}"
    return [{ 'RUBYLIB' => paths }, [linker, '--library-path', search, *program]] if File.exist?(linker)

    [{ 'RUBYLIB' => paths, 'LD_LIBRARY_PATH' => search }, program]
  end

  def self.unpack(root, release, packages)
    lists, cache, downloads = %w[lists cache downloads].map { |name| File.join(root, name) }
    FileUtils.mkdir_p([File.join(lists, 'partial'), File.join(cache, 'archives/partial'), downloads])
    sources = File.join(root, 'sources.list')
    File.write(sources, "deb [signed-by=#{KEYS}] #{mirror} #{release} main\n")
    options = {
      'Dir::Etc::sourcelist' => sources, 'Dir::Etc::sourceparts' => '-', 'Dir::State::lists' => lists, 'Dir::Cache' => cache,
      'Acquire::Languages' => 'none', 'APT::Sandbox::User' => 'root'
    }.flat_map { |name, value| ['-o', "#{name}=#{value}"] }
    run('apt-get', *options, '-qq', 'update')
    run('apt-get', *options, '-qq', 'download', *packages.map { |package| "#{package}/#{release}" }, chdir: downloads)
    Dir[File.join(downloads, '*.deb')].sort.each do |package|
      warn "unpacking #{File.basename(package)}"
      run('dpkg-deb', '-x', package, root)
    end
  end

  # The first mirror that the system has.
  def self.mirror
    run('apt-get', 'indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages').lines.first&.chomp or raise 'no mirror'
  end

  def self.run(*command, **options)
    out, errors, status = Open3.capture3(*command, **options)
    raise "#{command.first(2).join(' ')}: #{errors}" unless status.success?

    out
  end
end
